"""What the pages share: navigation, dataset shelf, parameter form, cached call, download bar, error box."""

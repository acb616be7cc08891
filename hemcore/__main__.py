"""`python -m hemcore`: what there is; with arguments it is the command hem-workbench."""

import sys

import hemcore
from hemcore.command.cli import main

if __name__ == "__main__":
    if sys.argv[1:]:
        sys.exit(main())
    print(hemcore.__doc__)
    main(["--help"])

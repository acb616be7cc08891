"""Power and energy of programs: a physical model, its errors on unseen programs and frequencies, and what another frequency costs."""

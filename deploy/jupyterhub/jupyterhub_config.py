"""HEM Workbench as a tile in everyone's JupyterLab, where the users' servers have 'hem-workbench[app]' and jupyter-server-proxy installed.

The tile comes by itself, by the package's entry point. Each user's server starts HEM Workbench under /user/NAME/hem/, as that user, with a
key that only it knows.
"""

c = get_config()  # noqa: F821
# The datasets of each user; without this line in the user's data folder (~/.local/share/hem-workbench).
c.Spawner.environment = {"HEM_DATA_DIR": lambda spawner: f"/home/{spawner.user.name}/hem-workbench"}

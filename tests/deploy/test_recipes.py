"""The recipes for Open OnDemand, JupyterHub and containers: what they render to can be read, and the command that they start exists."""

import json
import re
import runpy
import shlex
import shutil
import subprocess
import tomllib
from importlib import import_module
from pathlib import Path

import pytest
import yaml

from hemcore.command.cli import _parser
from hemcore.web.team import team_settings
from hemcore.web.team.one_user_door import ENTER, HEADER

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
ONDEMAND = DEPLOY / "ondemand"
EVIL = "\"><script>alert('x')</script> $(id)"
# As Open OnDemand renders: dashes trim lines, the answers of the form are methods of `context` or plain names.
RENDER = """
require "erb"
context = Struct.new(:data_folder).new(ARGV[1])
num_cores, host, port, hem_key = ARGV[2], "c1", 40123, ARGV[3]
puts ERB.new(File.read(ARGV[0]), trim_mode: "-").result(binding)
"""


def rendered(name: str, folder: str = "~/hem", cores: str = "4", key: str = "k" * 64) -> str:
    ruby = shutil.which("ruby")
    if ruby is None:
        pytest.skip("ruby is not here (Debian: apt install ruby)")
    command = [ruby, "-e", RENDER, str(ONDEMAND / name), folder, cores, key]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout


def test_the_form_asks_for_what_the_job_uses() -> None:
    form = yaml.safe_load((ONDEMAND / "form.yml").read_text())
    assert set(form["attributes"]) <= set(form["form"])
    assert {each for each in form["form"] if not each.startswith("bc_")} == {"num_cores", "data_folder"}
    assert yaml.safe_load((ONDEMAND / "manifest.yml").read_text())["role"] == "batch_connect"


@pytest.mark.parametrize(("cores", "asked"), [("4", "--cpus-per-task=4"), ("", "--cpus-per-task=2"), ("4; id", "--cpus-per-task=4")])
def test_the_job_is_yaml(cores: str, asked: str) -> None:
    job = yaml.safe_load(rendered("submit.yml.erb", cores=cores))
    assert job["batch_connect"]["conn_params"] == ["hem_key"]
    assert job["script"]["native"][-1] == asked


@pytest.mark.parametrize("folder", ["", EVIL])
def test_the_script_starts_the_command(folder: str, tmp_path: Path) -> None:
    for name in ("before.sh.erb", "script.sh.erb", "after.sh.erb"):
        subprocess.run(["bash", "-n"], input=rendered(f"template/{name}", folder), text=True, check=True)
    # The script with another command in its place, which says what it was given.
    said = tmp_path / "hem-workbench"
    said.write_text('#!/bin/bash\nprintf "%s\\n" "$HEM_KEY" "$HEM_DATA_DIR" "$*"\n')
    said.chmod(0o755)
    known = {"PATH": f"{tmp_path}:/usr/bin:/bin", "HOME": "/home/ada", "USER": "ada", "host": "c1", "port": "40123", "hem_key": "k" * 64}
    script = rendered("template/script.sh.erb", folder)
    done = subprocess.run(["bash"], input=script, env=known, capture_output=True, text=True, check=True, timeout=60)
    key, data, command = done.stdout.splitlines()
    assert key == "k" * 64
    assert data == (EVIL if folder == EVIL else "/home/ada/hem-workbench")
    given = _parser().parse_args(shlex.split(command))
    assert (given.address, given.port, given.prefix) == ("0.0.0.0", 40123, "/node/c1/40123")


def test_the_view_sends_the_key_to_the_server_that_has_it() -> None:
    view = rendered("view.html.erb", key=EVIL)
    assert f'action="/node/c1/40123{ENTER}"' in view
    assert "<script>" not in view


def test_the_tile_of_jupyter_is_an_entry_point() -> None:
    points = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"]["jupyter_serverproxy_servers"]
    module, _, function = points["hem"].partition(":")
    tile = getattr(import_module(module), function)()
    command = [each.format(port=40123, base_url="/user/ada/") for each in tile["command"]]
    given = _parser().parse_args(command[3:])
    assert (given.address, given.port, given.prefix) == ("localhost", 40123, "/user/ada/hem")
    key = tile["environment"]["HEM_KEY"]
    assert tile["request_headers_override"] == {"X-HEM-Key": key}
    assert HEADER == "x-hem-key"
    assert len(key) == 64
    assert Path(tile["launcher_entry"]["icon_path"]).is_file()
    compile((DEPLOY / "jupyterhub" / "jupyterhub_config.py").read_text(), "jupyterhub_config.py", "exec")


def lines_of(word: str) -> list[str]:
    return [line.partition(" ")[2] for line in (DEPLOY / "Containerfile").read_text().splitlines() if line.split(" ")[0] == word]


def test_the_image_runs_as_no_root_and_starts_the_command() -> None:
    assert lines_of("USER") == ["10001"]
    assert lines_of("VOLUME") == ["/data"]
    given = _parser().parse_args(json.loads(lines_of("CMD")[-1]))
    assert given.address == "0.0.0.0"  # which a server refuses that no one has to sign in to
    subprocess.run(["sh", "-n", DEPLOY / "container-start"], check=True)
    pins = (ROOT / "requirements-dev.txt").read_text().lower()
    for name in ("authlib", "httpx"):
        (pin,) = re.findall(rf"'({name}==[\d.]+)'", "\n".join(lines_of("RUN")))
        assert f"{pin} " in pins


def test_apptainers_definition_is_made_from_the_images_lines() -> None:
    script = runpy.run_path(str(ROOT / "scripts" / "apptainer-definition"))
    made = script["definition"]((DEPLOY / "Containerfile").read_text())
    assert made == (DEPLOY / "apptainer.def").read_text(), "Run scripts/apptainer-definition."
    assert made.count("%post") == 2


def test_compose_starts_two_servers_over_one_volume() -> None:
    compose = yaml.safe_load((DEPLOY / "compose.yml").read_text())
    servers = [compose["services"][name] for name in ("hem1", "hem2")]
    ports = [_parser().parse_args(each["command"]).port for each in servers]
    assert compose["services"]["caddy"]["environment"]["HEM_SERVERS"] == " ".join(f"127.0.0.1:{port}" for port in ports)
    assert "--host 0.0.0.0" in compose["services"]["sso"]["command"][-1]  # else its published port leads nowhere
    for each in servers:
        assert (each["read_only"], each["cap_drop"], each["volumes"]) == (True, ["ALL"], ["data:/data"])
        known = {name: value for name, value in each["environment"].items() if not name.endswith("_FILE")}
        secrets = {name.removesuffix("_FILE"): "x" * 32 for name in each["environment"] if name.endswith("_FILE")}
        assert team_settings.read(known | secrets).auth == "oidc"

#!/bin/bash
# Makes .venv/bin/python and .venv/bin/thalweg run what was built, from the source tree: no wheel, so it takes no time. `pyflink` and
# the few names of py4j that programs import are ours in this environment. usage: tools/install_dev.sh
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
site=$(.venv/bin/python -c 'import sysconfig; print(sysconfig.get_paths()["purelib"])')
suffix=$(.venv/bin/python -c 'import sysconfig; print(sysconfig.get_config_var("EXT_SUFFIX"))')

if .venv/bin/python -c 'import importlib.metadata as m; m.version("apache-flink")' 2>/dev/null; then
  echo "apache-flink is installed in .venv and owns the name pyflink; use an environment without it" >&2
  exit 1
fi
write_if_changed() {
  local file=$1 text
  text=$(cat)
  [ -f "$file" ] && [ "$(cat "$file")" = "$text" ] || printf '%s\n' "$text" > "$file"
}
echo "$root/python" | write_if_changed "$site/thalweg-dev.pth"

extension=(build/release/python/_native.*.so)
[ -e "${extension[0]}" ] && ln -sfn "../../${extension[0]}" "python/thalweg/_native$suffix"

write_if_changed .venv/bin/thalweg <<END
#!$root/.venv/bin/python
import sys

from thalweg.cli import main

sys.exit(main())
END
write_if_changed .venv/bin/sql-client.sh <<END
#!$root/.venv/bin/python
import sys

from thalweg.cli import sql_client

sys.exit(sql_client())
END
write_if_changed .venv/bin/flink <<END
#!$root/.venv/bin/python
import sys

from thalweg.cli import flink

sys.exit(flink())
END
chmod +x .venv/bin/thalweg .venv/bin/sql-client.sh .venv/bin/flink

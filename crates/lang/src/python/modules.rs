//! Which import names belong to a Python project, by reading its tree and its declared dependencies.

use crate::tree::{Tree, below, text, upward};
use proctor_core::report::Owner;
use std::collections::BTreeSet;

/// Import names of third-party packages that people use so often that a project's own module of that name is
/// unlikely, and whose absence says that the environment is not set up.
const WELL_KNOWN: &str = "absl aiofiles aiohttp airflow alembic altair anyio apscheduler argon2 arrow asgiref \
    async_timeout asyncpg attr attrs azure babel bcrypt behave black bokeh boto boto3 botocore bottle bs4 cachetools \
    cairo celery cerberus certifi cffi chardet charset_normalizer click cloudpickle colorama conda confluent_kafka \
    coverage cryptography cupy Cython dask dateutil dns docker docopt docutils dotenv duckdb elasticsearch email_validator \
    factory faker falcon fastapi fire flask freezegun fsspec gensim gevent git github gitlab google greenlet grpc \
    gunicorn h11 h5py html5lib httplib2 httptools httpx hypothesis idna imageio importlib_metadata inflect IPython isort \
    itsdangerous jax jinja2 jmespath joblib jose jsonschema jupyter jwt kafka keras keyring kombu kubernetes langchain \
    lightgbm llvmlite loguru lxml magic mako markdown markupsafe marshmallow matplotlib mock mongoengine moto more_itertools \
    motor mpmath msgpack multidict mypy mysql MySQLdb natsort networkx nltk nose notebook numba numpy oauthlib odf openai \
    opentelemetry openpyxl orjson packaging pandas paramiko parameterized passlib pathspec peewee pendulum pexpect PIL pip \
    pkg_resources platformdirs plotly pluggy polars prometheus_client prompt_toolkit protobuf psutil psycopg psycopg2 pyarrow \
    pyasn1 pycparser pydantic pydantic_settings pyfakefs pygame pygments pymongo pymysql pyparsing PyQt5 PyQt6 pyspark pytest \
    pytest_asyncio pytest_mock pytz pywintypes qdrant_client rapidfuzz redis regex requests requests_mock responses rich \
    ruamel s3transfer scipy scrapy seaborn selenium sentry_sdk setuptools shapely simplejson six skimage sklearn slugify \
    snowflake sniffio sortedcontainers sphinx spacy sqlalchemy sqlmodel starlette statsmodels streamlit structlog sympy \
    tabulate tenacity tensorflow termcolor testcontainers textual tiktoken time_machine toml tomli tomlkit toolz torch \
    torchvision tornado tqdm transformers trio twisted typeguard typer typing_extensions tzlocal ujson unidecode urllib3 uvicorn \
    uvloop validators vcr wandb watchdog watchfiles webob websocket websockets werkzeug wheel wrapt wtforms xarray xgboost \
    xlrd xlsxwriter xmltodict yaml yarl zmq zope django rest_framework cv2 serial usb win32api Crypto Levenshtein";

/// Where distribution and import names differ.
const RENAMED: [(&str, &str); 14] = [
    ("pyyaml", "yaml"),
    ("beautifulsoup4", "bs4"),
    ("pillow", "pil"),
    ("scikit_learn", "sklearn"),
    ("python_dateutil", "dateutil"),
    ("python_dotenv", "dotenv"),
    ("opencv_python", "cv2"),
    ("pyjwt", "jwt"),
    ("scikit_image", "skimage"),
    ("pyserial", "serial"),
    ("mysqlclient", "mysqldb"),
    ("attrs", "attr"),
    ("djangorestframework", "rest_framework"),
    ("gitpython", "git"),
];

/// The names of one tree.
pub struct Modules {
    own: BTreeSet<String>,
    declared: BTreeSet<String>,
}

impl Modules {
    /// Those that a project in a folder of the tree has.
    pub fn of(tree: &dyn Tree, subdir: &str) -> Self {
        let mut own = BTreeSet::new();
        for path in tree.paths() {
            let rest = match path.strip_prefix(subdir) {
                Some(rest) => rest.trim_start_matches('/'),
                None => continue,
            };
            for rest in [Some(rest), rest.strip_prefix("src/"), rest.strip_prefix("lib/")]
                .into_iter()
                .flatten()
            {
                let top = rest.split('/').next().unwrap_or("");
                let python = crate::zone::has_ending(rest, "py");
                match top.strip_suffix(".py") {
                    Some(module) if !rest.contains('/') => own.insert(module.to_owned()),
                    _ if python && rest.contains('/') => own.insert(top.to_owned()),
                    _ => false,
                };
            }
        }
        Self { own, declared: declared(tree, subdir) }
    }

    /// Who would supply a top-level module that does not exist and is not in the standard library.
    pub fn owner(&self, top: &str) -> Owner {
        let folded = fold(top);
        if self.own.contains(top) {
            Owner::Project
        } else if self.declared.contains(&folded)
            || WELL_KNOWN.split_whitespace().any(|known| fold(known) == folded)
        {
            Owner::Elsewhere
        } else {
            Owner::Project
        }
    }
}

/// Distribution names fold case and dashes.
fn fold(name: &str) -> String {
    name.to_lowercase().replace(['-', '.'], "_")
}

fn declared(tree: &dyn Tree, subdir: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for folder in upward(subdir) {
        if let Some(text) = text(tree, &below(folder, "pyproject.toml"))
            && let Ok(table) = toml::from_str::<toml::Table>(&text)
        {
            pyproject(&table, &mut found);
        }
        if let Some(text) = text(tree, &below(folder, "setup.cfg")) {
            // Under `install_requires` and the extras each requirement is an indented line.
            let indented =
                text.lines().filter(|l| l.starts_with([' ', '\t']) && !l.contains(" = "));
            found.extend(indented.filter_map(requirement));
        }
    }
    for path in tree.paths() {
        let name = path.rsplit('/').next().unwrap_or("");
        let in_folder = path.contains("requirements/");
        if (name.starts_with("requirements") || name.ends_with("requirements.txt") || in_folder)
            && crate::zone::has_ending(name, "txt")
        {
            found.extend(text(tree, &path).unwrap_or_default().lines().filter_map(requirement));
        }
    }
    let renamed: Vec<String> = RENAMED
        .iter()
        .filter(|(from, _)| found.contains(*from))
        .map(|(_, to)| (*to).to_owned())
        .collect();
    found.extend(renamed);
    found
}

fn pyproject(table: &toml::Table, found: &mut BTreeSet<String>) {
    let mut lists: Vec<&toml::Value> = Vec::new();
    let project = table.get("project");
    lists.extend(project.and_then(|p| p.get("dependencies")));
    for groups in
        [project.and_then(|p| p.get("optional-dependencies")), table.get("dependency-groups")]
    {
        lists.extend(groups.and_then(toml::Value::as_table).into_iter().flat_map(|t| t.values()));
    }
    for list in lists {
        found
            .extend(list.as_array().into_iter().flatten().filter_map(|v| requirement(v.as_str()?)));
    }
    let poetry = table.get("tool").and_then(|t| t.get("poetry"));
    let mut tables: Vec<&toml::Value> = Vec::new();
    tables.extend(poetry.and_then(|p| p.get("dependencies")));
    tables.extend(poetry.and_then(|p| p.get("dev-dependencies")));
    if let Some(groups) = poetry.and_then(|p| p.get("group")).and_then(toml::Value::as_table) {
        tables.extend(groups.values().filter_map(|g| g.get("dependencies")));
    }
    for table in tables {
        found.extend(table.as_table().into_iter().flat_map(|t| t.keys()).map(|k| fold(k)));
    }
}

/// The name of a requirement line, folded.
fn requirement(line: &str) -> Option<String> {
    let line = line.trim();
    if line.starts_with(['#', '-']) {
        return None;
    }
    let end = line
        .find(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_' | '.')))
        .unwrap_or(line.len());
    let name = line.get(..end)?;
    (!name.is_empty()).then(|| fold(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::MemoryTree;

    #[test]
    fn an_unknown_top_level_name_is_the_projects_and_a_dependency_is_not() {
        let tree: MemoryTree = [
            ("src/shop/__init__.py", ""),
            ("pyproject.toml", "[project]\ndependencies = [\"Weird-Lib>=1\"]\n"),
            ("requirements-dev.txt", "# x\nodd_tool==1.0\n-r other.txt\n"),
            ("setup.cfg", "[options]\ninstall_requires =\n    rare\n    other>=2\n"),
        ]
        .into_iter()
        .collect();
        let modules = Modules::of(&tree, "");
        for own in ["shop", "brand_new"] {
            assert_eq!(modules.owner(own), Owner::Project, "{own}");
        }
        for other in ["weird_lib", "odd_tool", "rare", "numpy", "yaml", "PIL"] {
            assert_eq!(modules.owner(other), Owner::Elsewhere, "{other}");
        }
    }

    #[test]
    fn a_module_of_the_tree_wins_over_a_well_known_name() {
        let tree: MemoryTree = [("redis/client.py", "")].into_iter().collect();
        assert_eq!(Modules::of(&tree, "").owner("redis"), Owner::Project);
    }
}

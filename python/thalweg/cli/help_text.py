"""What `thalweg --help` says, and HELP in the SQL shell."""

HELP = """\
Thalweg runs PyFlink programs and Flink SQL on a native engine, without a JVM.

First steps
  thalweg demo                       a live Kafka topic aggregated by a PyFlink program; nothing to install
  thalweg run app.py                 run a PyFlink program, unchanged
  thalweg sql                        type Flink SQL; HELP; shows how
  thalweg sql -f job.sql             run a file of statements
  thalweg sql -e "SELECT 1"          run one statement
  thalweg python                     Python with a TableEnvironment at hand as `env`

Jobs (of all Thalweg processes on this machine)
  thalweg jobs                       list them
  thalweg cancel ID                  end one now
  thalweg stop ID --savepointPath D  end one after a savepoint
  thalweg savepoint ID DIR           take a savepoint; go on with `thalweg run -s PATH app.py`

A cluster that takes jobs
  thalweg cluster start [NAME]       leaves an engine running (also: stop, status); --jobs DIR is where programs lie
  thalweg flink run --python app.py  submits a program to it; also list, info, cancel, stop, savepoint, with Flink's flags
  thalweg logs JOBID --stdout        what a job wrote

Kafka without installing Kafka
  thalweg broker --port 9092         a Kafka-protocol broker (--registry-port: with a schema registry)
  thalweg up / thalweg down          broker and registry in the background, under the names that tutorials use
  thalweg topic list                 also: create, describe, delete
  thalweg produce TOPIC              send lines from standard input; `produce sensors` makes sensor readings
  thalweg consume TOPIC              show messages as they come

Further
  thalweg COMMAND --help             all options of a command
  --alias broker:9092=localhost:9097 use another address for one that a program names (run and sql; also in thalweg.toml)
  thalweg --version
"""

SQL_HELP = """\
Statements end with ';' and may take several lines. Tab completes keywords, tables and columns.

  SELECT, WITH, VALUES, TABLE t     run a query; Q or Ctrl-C ends it
  INSERT INTO t SELECT ...          start a job in the background
  EXECUTE STATEMENT SET BEGIN ... END;   several INSERTs as one job
  CREATE / DROP / ALTER TABLE, VIEW, DATABASE, CATALOG, FUNCTION
  SHOW TABLES, SHOW CREATE TABLE t, DESCRIBE t, EXPLAIN query
  SHOW JOBS, STOP JOB 'id' [WITH SAVEPOINT]
  SET 'key' = 'value', SET, RESET 'key', RESET

  SET 'sql-client.execution.result-mode' = 'table' | 'changelog' | 'tableau'
      table: the current result, in place; changelog: every change; tableau: plain text
  SET 'execution.runtime-mode' = 'streaming' | 'batch'
  SET 'table.dml-sync' = 'true'     INSERT waits for its job

  HELP, CLEAR, QUIT
"""

"""The one list of what the API answers: its routes and its description are made from it."""

from hemcore.web.api import datasets_api, jobs_api, questions_api, reports_api
from hemcore.web.api.exchange import Endpoint, Waiting

ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint(
        method="GET", path="/datasets", name="listDatasets", summary="The datasets that you can read, the newest first, then the samples",
        answer=datasets_api.list_datasets, query=datasets_api.Listing, gives=list[datasets_api.DatasetInfo],
    ),
    Endpoint(
        method="POST", path="/datasets", name="addDataset", summary="Read a file to a dataset; several files as one .zip",
        answer=datasets_api.add_dataset, query=datasets_api.Upload, takes_file=True, gives=datasets_api.DatasetInfo,
        status=201, begins=True,
    ),
    Endpoint(
        method="GET", path="/datasets/{id}", name="showDataset", summary="What is known of a dataset",
        answer=datasets_api.show_dataset, gives=datasets_api.DatasetInfo, missing=True,
    ),
    Endpoint(
        method="DELETE", path="/datasets/{id}", name="deleteDataset", summary="Delete a dataset; for a day the Data page brings it back",
        answer=datasets_api.delete_dataset, status=204, missing=True,
    ),
    Endpoint(
        method="GET", path="/datasets/{id}/table", name="tableOfDataset", summary="The table of a dataset",
        answer=datasets_api.table_of_dataset, query=datasets_api.TableFile, forms=("csv", "parquet", "json"), missing=True,
    ),
    Endpoint(
        method="GET", path="/analyses", name="listAnalyses", summary="The analyses and their parameters",
        answer=questions_api.list_analyses, gives=list[questions_api.AnalysisInfo],
    ),
    Endpoint(
        method="POST", path="/questions", name="ask", summary="Ask a question: an analysis of a dataset; the same question is the same job",
        answer=questions_api.ask, query=Waiting, body=questions_api.Asked, gives=jobs_api.JobState, begins=True, missing=True,
    ),
    Endpoint(
        method="GET", path="/jobs", name="listJobs", summary="Your jobs",
        answer=jobs_api.list_jobs, gives=list[jobs_api.JobState],
    ),
    Endpoint(
        method="GET", path="/jobs/{id}", name="showJob", summary="How far a job is",
        answer=jobs_api.show_job, gives=jobs_api.JobState, missing=True,
    ),
    Endpoint(
        method="DELETE", path="/jobs/{id}", name="cancelJob", summary="Ask a job to stop",
        answer=jobs_api.cancel_job, gives=jobs_api.JobState, missing=True,
    ),
    Endpoint(
        method="GET", path="/answers/{id}", name="showAnswer", summary="The verdict and the figures of an answer; the id is the job's",
        answer=questions_api.show_answer, gives=questions_api.AnswerInfo, missing=True,
    ),
    Endpoint(
        method="GET", path="/answers/{id}/table", name="tableOfAnswer", summary="The table of an answer",
        answer=questions_api.table_of_answer, query=datasets_api.TableFile, forms=("csv", "parquet", "json"), begins=True, missing=True,
    ),
    Endpoint(
        method="GET", path="/verdicts", name="datedVerdicts", summary="The verdicts about the datasets of one name that were asked for",
        answer=questions_api.dated_verdicts, query=questions_api.Dated, gives=list[questions_api.DatedVerdict], forms=("prometheus",),
    ),
    Endpoint(
        method="GET", path="/reports", name="listReports", summary="Your reports, and those that are shared with you",
        answer=reports_api.list_reports, gives=list[reports_api.ReportInfo],
    ),
    Endpoint(
        method="GET", path="/reports/{id}", name="showReport", summary="A report as its file, its page or its notebook",
        answer=reports_api.show_report, query=reports_api.ReportFile, forms=("json", "html", "ipynb"), begins=True, missing=True,
    ),
    Endpoint(
        method="DELETE", path="/reports/{id}", name="deleteReport", summary="Delete a report; the Report page brings it back",
        answer=reports_api.delete_report, status=204, missing=True,
    ),
)  # fmt: skip

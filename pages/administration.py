"""Administration: people, what they hold, jobs and errors; for the administrators of a team's server."""

from hemcore.web.navigation import begin
from hemcore.web.team import admin_page

begin(admin_page.PAGE)
admin_page.show()

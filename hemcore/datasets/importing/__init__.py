"""From any plain table or workbook to a typed table: `inspect` shows what files hold, `apply` reads them by an ImportRecipe."""

/** Returns the lines of a table in plain text, with one space between the words. */
export const tableLines = (table: string) =>
  table
    .trim()
    .split('\n')
    .map((line) => line.split(/\s+/).join(' '))

/** Returns the first two words of each line of a table in plain text, without the line of column names. */
export const tableColumns = (table: string) =>
  tableLines(table)
    .slice(1)
    .map((line) => line.split(' ') as [string, string])

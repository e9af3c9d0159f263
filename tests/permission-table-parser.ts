/** Returns the lines of a table in plain text, with one space between the words. */
export const normalizePermissionTableLines = (table: string) =>
  table
    .trim()
    .split('\n')
    .map((line) => line.split(/\s+/).join(' '))

/** Returns the first two words of each line of a table in plain text, without the line of column names. */
export const parseFirstTwoPermissionTableColumns = (table: string) =>
  normalizePermissionTableLines(table)
    .slice(1)
    .map((line) => line.split(' ') as [string, string])

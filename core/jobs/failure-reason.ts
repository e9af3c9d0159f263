/** Shortens an error for the table and the log, and removes addresses and links. */
export const reasonOf = (error: unknown) =>
  (error instanceof Error ? error.message : String(error))
    .replace(/(?<!\S)\S+@\S+/g, '(address)')
    .replace(/\b\w+:\/\/\S+/g, '(link)')
    .slice(0, 300)

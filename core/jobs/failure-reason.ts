import { shorten } from '#core/text/shorten.ts'

/** Shortens an error for the table and the log, and removes addresses and links. */
export const reasonOf = (error: unknown) =>
  shorten(
    (error instanceof Error ? error.message : String(error))
      .replace(/(?<!\S)\S+@\S+/g, '(address)')
      .replace(/\b\w+:\/\/\S+/g, '(link)'),
    300,
  )

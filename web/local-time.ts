/** As fields for a date and a time take it: `2026-11-30T07:00`, the local time without its zone. */
export function toLocal(at: string) {
  const date = new Date(at)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/**
 * Returns the name of the file of a mail: the id of its job, and the id of the account that the mail belongs
 * to, such as `000012-account-5.eml`.
 */
export const mailFileName = (job: number, user_id: number | null) =>
  `${String(job).padStart(6, '0')}${user_id === null ? '' : `-account-${user_id}`}.eml`

/** Returns the id of the account that the file of a mail belongs to; null if it belongs to none. */
export function accountOfFile(name: string) {
  const id = /-account-(\d+)\.eml$/.exec(name)?.[1]
  return id === undefined ? null : Number(id)
}

import { hashToken, randomToken } from './crypto.ts'

// The note of a moderator's or admin's decision may contain names and quotes. So it is stored in a row that
// is deleted with the person concerned, or after some time. The audit log, of which nothing is deleted, has
// only a hash of the note. The hash has a salt, which is deleted with the note: without the salt, nobody
// can find the note by trying texts.

const hashNote = (salt: string, note: string) => hashToken(`${salt} ${note}`)

/** Returns a new salt for a note, and the hash of the note with this salt. */
export function saltAndHash(note: string) {
  const salt = randomToken()
  return { salt, note_hash: hashNote(salt, note) }
}

/** Whether `note_hash` is the hash of this note and salt. Otherwise somebody has changed the stored note. */
export const matchesNote = ({ salt, note }: { salt: string; note: string }, note_hash: string | undefined) =>
  hashNote(salt, note) === note_hash

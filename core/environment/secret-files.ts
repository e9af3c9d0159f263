import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'

/** The largest file that a `NAME_FILE` setting may name, in bytes. */
const MAX_BYTES = 8192

export type SettingValue = {
  /** The value without the white space around it; undefined if the setting is not set. */
  value?: string | undefined
  /** The environment variable that gives the value: the setting itself, or `NAME_FILE`. */
  source: string
  /** Why the value cannot be used, as a sentence for the operator. */
  fault?: string
}

export const fileVariableOf = (name: string) => `${name}_FILE`

/**
 * Reads the secret setting `name` from its environment variable, or from the file that `NAME_FILE` names. The
 * file must be a regular file with one line of UTF-8 and at most 8 kB. An empty variable is not set.
 */
export function readSecret(env: Readonly<Record<string, string | undefined>>, name: string): SettingValue {
  const value = env[name]?.trim() || undefined
  const source = fileVariableOf(name)
  const path = env[source]?.trim()
  if (!path) return { value, source: name }
  if (value) return { source, fault: `${name} and ${source} are both set: one of them is enough.` }
  try {
    return { value: readLine(path), source }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const reason = code ? `cannot be read (${code})` : message
    return { source, fault: `${source} takes a file with one line of text: ${path} ${reason}.` }
  }
}

function readLine(path: string) {
  // Without O_NONBLOCK, opening a named pipe would wait for its writer.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stat = fstatSync(file)
    if (!stat.isFile()) throw new Error('is not a regular file')
    if (stat.size > MAX_BYTES) throw new Error(`has more than ${MAX_BYTES} bytes`)
    const line = readFileSync(file, 'utf8').trim()
    if (!line) throw new Error('is empty')
    if (/[\p{Cc}\ufffd]/u.test(line)) throw new Error('has several lines, or bytes that are not text')
    return line
  } finally {
    closeSync(file)
  }
}

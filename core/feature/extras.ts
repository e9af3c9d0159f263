import * as v from 'valibot'
import type { Tx } from '#core/database/database.ts'
import { fieldError, invalidInput } from '#core/http/errors.ts'

// What a later feature adds to a post or a message in the transaction that writes it: a poll, a question. The
// features that write call `addExtras`, and know no extra by its name.

export interface Written {
  kind: 'post' | 'message'
  id: number
  /** When it is written, in ISO 8601; later than now for one whose author looks whether it may be sent later. */
  at: string
}

export interface Extra {
  kinds: readonly Written['kind'][]
  schema: v.GenericSchema
  add(context: never, tx: Tx, written: Written, value: never): Promise<unknown>
}

/** The values of the extras of one request, by name, as the client sent them. */
export type ExtraValues = Readonly<Record<string, unknown>>

/** Throws if two features have an extra of the same name. */
export function collectExtras(features: readonly { extras?: Readonly<Record<string, Extra>> }[]) {
  const entries = features.flatMap(({ extras = {} }) => Object.entries(extras))
  const extras = new Map(entries)
  if (extras.size < entries.length) throw new Error('Two features have an extra of the same name.')
  return extras
}

/**
 * Adds the extras to what was just written. 422 for an unknown extra, for one that does not fit the kind, and
 * for a wrong value; the names of its fields begin with that of the extra, as in `poll.options`.
 */
export async function addExtras(
  context: { extras: ReadonlyMap<string, Extra> },
  tx: Tx,
  written: Written,
  values: ExtraValues,
) {
  for (const [name, value] of Object.entries(values)) {
    const found = context.extras.get(name)
    if (!found?.kinds.includes(written.kind)) throw fieldError('extras', unknownExtra)
    const { success, issues, output } = v.safeParse(found.schema, value)
    if (!success) throw invalidInput(issues, `${name}.`)
    await found.add(context as never, tx, written, output as never)
  }
}

const unknownExtra = {
  en: 'The extras field names something that cannot be added here.',
  ja: '追加できないものが含まれています。',
}

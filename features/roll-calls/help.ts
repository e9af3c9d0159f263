import type { AppContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import * as chats from '#features/conversations/read.ts'
import * as tasks from '#features/notifications/tasks.ts'
import { listAdminIds } from '#features/people/moderators.ts'
import type { RollCallTables } from './tables.ts'

const kind = 'roll_call_help'

type Call = Pick<RollCallTables['roll_calls'], 'is_drill' | 'group_id'> & { id: number }

/** Tells those in charge at once that `person` needs help, until the person says otherwise. Not in a drill. */
export async function update(context: AppContext, tx: Tx, call: Call, person: number, needsHelp: boolean) {
  if (!needsHelp) return end(context, tx, call.id, person)
  if (call.is_drill) return
  const owner = call.group_id === null ? null : await chats.findOwner(tx, call.group_id)
  const inCharge = new Set([...(await listAdminIds(tx)), ...(owner === null ? [] : [owner])])
  inCharge.delete(person)
  await tasks.add(context, tx, [...inCharge], { kind, subject: call.id, source: person })
}

export const end = (context: AppContext, tx: Tx, call: number, person: number) =>
  tasks.end(context, tx, { kind, subject: call, source: person })

import type { AppContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import type { Subject } from '#features/reactions/subjects.ts'
import { subjects } from '#features/reactions/subjects.ts'
import type { PollEvents } from './contract.ts'
import * as polls from './rows.ts'

/** A change and its broadcast hold this lock together: events are sent in the order of the commits. */
export const lockKey = (id: number) => `poll ${id}`

/** Of the state in the transaction, without the results that some may not see yet. Null: it is gone. */
export async function prepare(context: AppContext, tx: Tx, id: number) {
  const poll = await polls.get(tx, id)
  const { subject, id: subject_id } = polls.subjectOf(poll)
  const [target] = await subjects[subject].read(context, tx, [subject_id])
  const { shared } = await polls.sharedLookup(tx, [poll])
  const data = { subject, subject_id, poll: shared(poll, polls.showsResults(poll, false)) }
  return target ? () => send(context, target, data) : () => {}
}

/** To the viewers who get the other live events of the post or message. */
function send(
  { realtime }: AppContext,
  { channel, aboutUsers, unlessMuted, inGroup, onlyFor }: Subject,
  data: PollEvents['PollChanged'],
) {
  realtime.broadcast([channel], 'PollChanged', data, { aboutUsers, unlessMuted, inGroup, onlyFor })
}

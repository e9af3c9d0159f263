import '#features/digest/events.ts'
import '#features/push/events.ts'
import type { AppContext } from '#core/context.ts'
import { isoNow, type Tx } from '#core/database/database.ts'
import type { Listeners } from '#core/feature/listeners.ts'
import type { PushItemSubject } from '#features/push/events.ts'
import type { DeliveryStep } from './contract.ts'
import { type CountKey, getRecorder } from './recorder.ts'

/** Rows that one statement inserts. */
const BATCH = 500

interface Step {
  user_id: number
  outcome: DeliveryStep['outcome']
  reason?: string | null
  until?: string | null
  device?: string | null
}

/** For each message or notification that a push message was about. */
async function addPushSteps(tx: Tx, items: readonly PushItemSubject[], { until = null, ...step }: Step) {
  const common = { reason: null, device: null, ...step, channel: 'push' as const, until_time: until }
  const created_at = isoNow()
  const rows = items.map(({ kind: subject_kind, subject_id }) => ({
    ...{ ...common, subject_kind, subject_id, created_at },
  }))
  for (let at = 0; at < rows.length; at += BATCH)
    await tx
      .insertInto('delivery_steps')
      .values(rows.slice(at, at + BATCH))
      .execute()
}

async function addDigestStep(tx: Tx, { until = null, ...step }: Step) {
  const digest = { subject_kind: 'digest' as const, subject_id: 0, channel: 'mail' as const }
  const row = { reason: null, device: null, ...step, ...digest, until_time: until }
  await tx
    .insertInto('delivery_steps')
    .values({ ...row, created_at: isoNow() })
    .execute()
}

const countAfterCommit = (context: AppContext, tx: Tx, key: CountKey, pausedUntil: string | null = null) =>
  tx.afterCommit(() => getRecorder(context).add(key, 1, pausedUntil))

/** No requests to the push service until `until`. */
const silentReasons = ['timeout', 'unreachable', 'paused']

/** In the transactions that store the results of sending. */
export const deliveryListeners: Listeners = {
  'push.answered': async (tx, event, context) => {
    const { user_id, device, host: provider, items, result: outcome, reason, until } = event
    await addPushSteps(tx, items, { user_id, outcome, reason, until, device })
    const pausedUntil = silentReasons.includes(reason ?? '') ? until : null
    countAfterCommit(context, tx, { channel: 'push', provider, outcome, reason: reason ?? '' }, pausedUntil)
  },
  'push.held': (tx, { user_id, device, items, until }) =>
    addPushSteps(tx, items, { user_id, outcome: 'held', until, device }),
  'push.dropped': (tx, { user_id, device, items, reason }) =>
    addPushSteps(tx, items, { user_id, outcome: 'dropped', reason, device }),
  'digest.queued': (tx, { user_id }) => addDigestStep(tx, { user_id, outcome: 'queued' }),
  'digest.sent': async (tx, { user_id }, context) => {
    await addDigestStep(tx, { user_id, outcome: 'sent' })
    countAfterCommit(context, tx, { channel: 'mail', outcome: 'sent' })
  },
  'digest.deferred': async (tx, { user_id, reason, until }, context) => {
    await addDigestStep(tx, { user_id, outcome: 'deferred', reason, until })
    if (reason === 'mail_server')
      countAfterCommit(context, tx, { channel: 'mail', outcome: 'deferred', reason })
  },
  'digest.dropped': async (tx, { user_id, reason }, context) => {
    await addDigestStep(tx, { user_id, outcome: 'dropped', reason })
    if (reason === 'refused') countAfterCommit(context, tx, { channel: 'mail', outcome: 'refused' })
  },
}

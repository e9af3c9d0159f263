import type { ChannelDeliveryOutcome } from '../contract.ts'
import type { DeliveryText } from './text.ts'

/**
 * How the page marks a delivery step: `good` if it succeeded, `warn` if the member should look at it,
 * otherwise `none`.
 */
export type DeliveryStepTone = 'good' | 'warn' | 'none'

/** Returns whether a delivery step is marked as a success, as a problem, or not at all. */
export function toDeliveryStepTone({ channel, outcome }: ChannelDeliveryOutcome): DeliveryStepTone {
  if (outcome === 'shown' || outcome === 'accepted' || outcome === 'sent') return 'good'
  const isProblem = ['refused', 'gone', 'delayed', 'no_device'].includes(outcome)
  return isProblem || (channel === 'mail' && outcome === 'deferred') ? 'warn' : 'none'
}

/**
 * Two functions that format an ISO time: `short` as “12:03” or “20 Nov, 12:03”, `long` as “at 12:03” or “on
 * 20 Nov at 12:03”.
 */
export interface DeliveryStepTimeFormatter {
  short(at: string): string
  long(at: string): string
}

/** Returns a sentence that describes a delivery step. */
export function describeDeliveryStep(
  step: ChannelDeliveryOutcome,
  t: DeliveryText,
  format: DeliveryStepTimeFormatter,
) {
  const time = step.at === null ? '' : format.long(step.at)
  if (step.channel === 'app') return t.stored(step.at === null ? '' : format.short(step.at))
  if (step.channel === 'live') return describeLive(step, t)
  if (step.channel === 'push') return describePush(step, t, time, format)
  return describeMail(step, t, time, format)
}

function describeLive({ outcome, windows }: ChannelDeliveryOutcome, t: DeliveryText) {
  if (outcome === 'shown') return t.shown(windows ?? 1)
  if (outcome === 'muted') return t.mutedLive
  return outcome === 'no_window' ? t.noWindow : t.unknownLive
}

const isKeyOf = <T extends object>(texts: T, key: string | null): key is keyof T & string =>
  key !== null && key in texts

function describePush(
  step: ChannelDeliveryOutcome,
  t: DeliveryText,
  time: string,
  format: DeliveryStepTimeFormatter,
) {
  const { outcome, reason, until } = step
  const device = step.device ?? t.device
  const end = until === null ? '' : format.short(until)
  switch (outcome) {
    case 'accepted':
      return t.accepted(device, time)
    case 'refused':
      return t.refused(device, reason ?? '')
    case 'gone':
      return t.gone(device)
    case 'delayed':
      return t.delayed(device, describeDelay(reason, t), time, end)
    case 'held':
      return t.held(end)
    case 'waiting':
      return step.device === null ? t.waiting : t.waitingFor(step.device)
    case 'no_device':
      return t.noDevice
    case 'as_message':
      return t.asMessage
    default:
      return isKeyOf(t.dropped, reason) ? t.dropped[reason] : t.unknownPush
  }
}

function describeDelay(reason: string | null, t: DeliveryText) {
  if (reason === '429') return t.busy
  return /^\d+$/.test(reason ?? '') ? t.failing(reason!) : t.silent
}

function describeMail(
  step: ChannelDeliveryOutcome,
  t: DeliveryText,
  time: string,
  format: DeliveryStepTimeFormatter,
) {
  const { outcome, reason, until } = step
  if (outcome === 'queued') return t.queued(time)
  if (outcome === 'sent') return t.sent(time)
  if (outcome === 'deferred') return until === null ? t.mailDelayed(time) : t.mailHeld(format.long(until))
  if (outcome === 'dropped')
    return isKeyOf(t.mailDropped, reason) ? t.mailDropped[reason] : t.mailDropped.not_needed
  return isKeyOf(t.noMail, reason) ? t.noMail[reason] : t.noMail.not_away
}

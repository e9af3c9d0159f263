import type { DeliveryStep } from '../contract.ts'
import type { DeliveryText } from './text.ts'

/** `good`: succeeded. `warn`: the member should look at it. */
export type StepTone = 'good' | 'warn' | 'none'

export function stepTone({ channel, outcome }: DeliveryStep): StepTone {
  if (outcome === 'shown' || outcome === 'accepted' || outcome === 'sent') return 'good'
  const isProblem = ['refused', 'gone', 'delayed', 'no_device'].includes(outcome)
  return isProblem || (channel === 'mail' && outcome === 'deferred') ? 'warn' : 'none'
}

/** `short` as “12:03” or “20 Nov, 12:03”, `long` as “at 12:03” or “on 20 Nov at 12:03”. */
export interface StepTimeFormat {
  short(at: string): string
  long(at: string): string
}

export function describeStep(step: DeliveryStep, t: DeliveryText, format: StepTimeFormat) {
  const time = step.at === null ? '' : format.long(step.at)
  if (step.channel === 'app') return t.stored(step.at === null ? '' : format.short(step.at))
  if (step.channel === 'live') return describeLive(step, t)
  if (step.channel === 'push') return describePush(step, t, time, format)
  return describeMail(step, t, time, format)
}

function describeLive({ outcome, windows }: DeliveryStep, t: DeliveryText) {
  if (outcome === 'shown') return t.shown(windows ?? 1)
  if (outcome === 'muted') return t.mutedLive
  return outcome === 'no_window' ? t.noWindow : t.unknownLive
}

const isKeyOf = <T extends object>(texts: T, key: string | null): key is keyof T & string =>
  key !== null && key in texts

function describePush(step: DeliveryStep, t: DeliveryText, time: string, format: StepTimeFormat) {
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

function describeMail(step: DeliveryStep, t: DeliveryText, time: string, format: StepTimeFormat) {
  const { outcome, reason, until } = step
  if (outcome === 'queued') return t.queued(time)
  if (outcome === 'sent') return t.sent(time)
  if (outcome === 'deferred') return until === null ? t.mailDelayed(time) : t.mailHeld(format.long(until))
  if (outcome === 'dropped')
    return isKeyOf(t.mailDropped, reason) ? t.mailDropped[reason] : t.mailDropped.not_needed
  return isKeyOf(t.noMail, reason) ? t.noMail[reason] : t.noMail.not_away
}

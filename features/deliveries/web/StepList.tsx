import './deliveries.css'
import { AppWindow, Inbox, Mail, Smartphone } from 'lucide-react'
import * as dates from '#web/dates.ts'
import { useLang, useText } from '#web/i18n.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { Link } from '#web/ui/Link.tsx'
import type { DeliveryStep } from '../contract.ts'
import { describeStep, type StepTimeFormat, stepTone } from './describe-step.ts'
import { deliveryText } from './text.ts'

const icons = { app: Inbox, live: AppWindow, push: Smartphone, mail: Mail }

function useStepTimeFormatter(): StepTimeFormat {
  const t = useText(deliveryText)
  const lang = useLang()
  const isToday = (at: string) => dates.daysSince(at) === 0
  return {
    short: (at) => (isToday(at) ? dates.clock(at, lang) : dates.dayAndClock(at, lang)),
    long: (at) =>
      isToday(at)
        ? t.atTime(dates.clock(at, lang))
        : t.onDay(dates.dayOfYear(at, lang), dates.clock(at, lang)),
  }
}

/** Steps of several devices with the same text are one line. */
export function StepList({ steps }: { steps: readonly DeliveryStep[] }) {
  const t = useText(deliveryText)
  const format = useStepTimeFormatter()
  const lines = new Map(steps.map((step) => [`${step.channel} ${describeStep(step, t, format)}`, step]))
  return (
    <ul className="delivery-steps">
      {[...lines].map(([key, step]) => (
        <li key={key} data-tone={stepTone(step)}>
          <Icon icon={icons[step.channel]} size="s" />
          <span>
            <span className="visually-hidden">{`${t.channels[step.channel]}: `}</span>
            {describeStep(step, t, format)}
            <StepLink step={step} />
          </span>
        </li>
      ))}
    </ul>
  )
}

/** To the setting that is the reason. Shows nothing if there is none. */
function StepLink({ step: { channel, outcome, reason } }: { step: DeliveryStep }) {
  const t = useText(deliveryText)
  if (outcome === 'no_device')
    return (
      <>
        {' – '}
        <Link href="/account#push">{t.turnOn}</Link>
      </>
    )
  if (reason === 'switched_off' || (channel === 'mail' && reason === 'off'))
    return (
      <>
        {' – '}
        <Link href="/account/notifications">{t.settings}</Link>
      </>
    )
  return null
}

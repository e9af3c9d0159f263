import './scheduled.css'
import { useId, useState } from 'react'
import * as dates from '#web/dates.ts'
import { useLang, useText } from '#web/i18n.ts'
import { toLocal } from '#web/local-time.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { MAX_AHEAD, MIN_AHEAD } from '../contract.ts'
import { choicesAt } from './choices.ts'
import { sendLaterText } from './text.ts'

/** Undefined unless it may be chosen now. `local` is as `toLocal` gives it. */
export function toDue(local: string) {
  const ahead = Date.parse(local) - Date.now()
  return ahead >= MIN_AHEAD && ahead <= MAX_AHEAD ? new Date(local).toISOString() : undefined
}

interface Props {
  /** As `toLocal` gives it. */
  value: string
  onChange: (local: string) => void
  error?: string | undefined
}

/** Times to choose with one press, and fields for any other. */
export function TimeFields({ value, onChange, error }: Props) {
  const t = useText(sendLaterText)
  const lang = useLang()
  const [choices] = useState(() => choicesAt(new Date()))
  const about = useId()
  const problem = error && { 'aria-invalid': true, 'aria-describedby': about }
  const [day = '', clock = ''] = value.split('T')
  return (
    <>
      <div className="later-choices">
        {choices.map(([name, at]) => (
          <Button key={name} aria-pressed={toLocal(at) === value} onClick={() => onChange(toLocal(at))}>
            <span>{t[name]}</span>
            <span className="text-meta">
              {name === 'monday' && `${dates.dayOfYear(at, lang)} `}
              {dates.clock(at, lang)}
            </span>
          </Button>
        ))}
      </div>
      <div className="later-fields">
        <Field
          label={t.date}
          type="date"
          required
          {...problem}
          min={toLocal(new Date().toISOString()).slice(0, 10)}
          value={day}
          onChange={(event) => onChange(`${event.target.value}T${clock}`)}
        />
        <Field
          label={t.time}
          type="time"
          required
          {...problem}
          value={clock}
          onChange={(event) => onChange(`${day}T${event.target.value}`)}
        />
      </div>
      {error ? (
        <p className="field-error" role="alert" id={about}>
          {error}
        </p>
      ) : (
        <p className="text-meta">{t.zone(dates.zoneName(dates.timeZone(), lang))}</p>
      )}
    </>
  )
}

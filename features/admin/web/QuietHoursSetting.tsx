import { type FormEvent, useId } from 'react'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import type { AdminSettings } from '../contract.ts'
import { quietHoursText } from './settings-text.ts'
import { useSetting } from './useSetting.ts'

interface Props {
  saved: AdminSettings['settings']['quiet_hours']
  timeZone: string
}

export function QuietHoursSetting({ saved, timeZone }: Props) {
  const t = useText(quietHoursText)
  const [shown, save, dialog] = useSetting('quiet_hours', saved)
  const id = useId()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    save({ from: String(form.get('from')), to: String(form.get('to')) })
  }
  const values = shown ?? { from: '22:00', to: '07:00' }
  return (
    <form className="card setting" onSubmit={submit} key={JSON.stringify(shown)}>
      <h3>{t.title}</h3>
      <p className="hint">{t.help}</p>
      <p className="hint" id={`${id}-zone`}>
        {t.zone(timeZone)}
      </p>
      {!shown && <p>{t.none}</p>}
      {(['from', 'to'] as const).map((name) => (
        <div className="field" key={name}>
          <label htmlFor={`${id}-${name}`}>{t[name]}</label>
          <input
            className="input"
            type="time"
            id={`${id}-${name}`}
            name={name}
            aria-describedby={`${id}-zone`}
            required
            defaultValue={values[name]}
          />
        </div>
      ))}
      <div className="form-actions">
        <Button type="submit">{t.save}</Button>
        {shown && <Button onClick={() => save(null)}>{t.end}</Button>}
      </div>
      {dialog}
    </form>
  )
}

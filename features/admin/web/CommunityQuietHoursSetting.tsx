import { type FormEvent, useId } from 'react'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import type { AdminCommunitySettingsResponse } from '../contract.ts'
import { communityQuietHoursText } from './quiet-hours-text.ts'
import { useCommunitySetting } from './useCommunitySetting.ts'

interface QuietHoursSettingProps {
  saved: AdminCommunitySettingsResponse['settings']['quiet_hours']
  /** The time zone of the community, in which the quiet hours are shown. */
  timeZone: string
}

/** Renders the form in which admins set the quiet hours of the community. */
export function CommunityQuietHoursSetting({ saved, timeZone }: QuietHoursSettingProps) {
  const t = useText(communityQuietHoursText)
  const [shown, save, dialog] = useCommunitySetting('quiet_hours', saved)
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

import { type ReactNode, useId } from 'react'
import { useCommunitySetting } from './useCommunitySetting.ts'

interface SettingSelectProps {
  name: string
  /** The stored value. */
  saved: string | null
  label: string
  help: string
  /** The `<option>` elements. The empty value is stored as null. */
  children: ReactNode
}

/** A setting that is chosen from a list. A change is saved at once, and taken back if that fails. */
export function CommunitySettingSelect({ name, saved, label, help, children }: SettingSelectProps) {
  const id = useId()
  const [chosen, choose, dialog] = useCommunitySetting(name, saved)
  return (
    <div className="card setting">
      <div className="field">
        <label htmlFor={id}>{label}</label>
        <select
          className="input"
          id={id}
          value={chosen ?? ''}
          aria-describedby={`${id}-help`}
          onChange={(event) => choose(event.target.value || null)}
        >
          {children}
        </select>
      </div>
      <p className="hint" id={`${id}-help`}>
        {help}
      </p>
      {dialog}
    </div>
  )
}

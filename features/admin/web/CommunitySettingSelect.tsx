import { type ReactNode, useId } from 'react'
import { useCommunitySetting } from './useCommunitySetting.ts'

interface SettingSelectProps {
  name: string
  /** The value that is stored in the settings of the community. */
  saved: string | null
  label: string
  help: string
  /**
   * The `<option>` elements of the list. If the admin chooses the option with an empty value, null is saved.
   */
  children: ReactNode
}

/**
 * Renders a setting that is chosen from a list, as a `<select>`. A change is saved at once, and taken back if
 * saving fails.
 */
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

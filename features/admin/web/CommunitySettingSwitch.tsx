import type { ReactNode } from 'react'
import { useCommunitySetting } from './useCommunitySetting.ts'

interface SettingSwitchProps {
  name: string
  /** The value that is stored in the settings of the community. */
  saved: boolean
  /**
   * Whether the value of the setting comes from an environment variable, so that admins cannot change it on
   * the page.
   */
  isFixed: boolean
  label: string
  help: ReactNode
}

/**
 * Renders a setting that is on or off, as a checkbox. A change is saved at once, and taken back if saving
 * fails.
 */
export function CommunitySettingSwitch({ name, saved, isFixed, label, help }: SettingSwitchProps) {
  const [isChecked, change, dialog] = useCommunitySetting(name, saved)
  return (
    <div className="card setting">
      <label className="check">
        <input
          type="checkbox"
          checked={isChecked}
          disabled={isFixed}
          aria-describedby={`about-${name}`}
          onChange={(event) => change(event.target.checked)}
        />
        {label}
      </label>
      <p className="hint" id={`about-${name}`}>
        {help}
      </p>
      {dialog}
    </div>
  )
}

import type { ReactNode } from 'react'
import { useCommunitySetting } from './useCommunitySetting.ts'

interface SettingSwitchProps {
  name: string
  /** The stored value. */
  saved: boolean
  /** Whether the value comes from an environment variable, so that the page cannot change it. */
  isFixed: boolean
  label: string
  help: ReactNode
}

/** A setting that is on or off. A change is saved at once, and taken back if that fails. */
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

import type { ReactNode } from 'react'
import { useSetting } from './useSetting.ts'

interface Props {
  name: string
  saved: boolean
  /** An environment variable sets the value, so admins cannot change it. */
  isFixed: boolean
  label: string
  help: ReactNode
}

/** A change is saved at once, and taken back if saving fails. */
export function SettingSwitch({ name, saved, isFixed, label, help }: Props) {
  const [isChecked, change, dialog] = useSetting(name, saved)
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

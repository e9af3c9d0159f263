import { useId } from 'react'
import { useCommunitySetting } from './useCommunitySetting.ts'

interface SettingNumberSelectProps<Value extends number> {
  name: string
  /** The value that is stored in the settings of the community. */
  saved: Value
  label: string
  help: string
  choices: readonly Value[]
  /** Returns the text that the list shows for one of the numbers. */
  format: (value: Value) => string
}

/**
 * Renders a setting whose value is one of several numbers, as a `<select>`. A change is saved at once, and
 * taken back if saving fails.
 */
export function CommunitySettingNumberSelect<Value extends number>(props: SettingNumberSelectProps<Value>) {
  const { name, saved, label, help, choices, format } = props
  const id = useId()
  const [value, change, dialog] = useCommunitySetting(name, saved)
  return (
    <div className="card setting">
      <div className="field">
        <label htmlFor={id}>{label}</label>
        <select
          className="input"
          id={id}
          value={value}
          aria-describedby={`${id}-help`}
          onChange={(event) => change(Number(event.target.value) as Value)}
        >
          {choices.map((n) => (
            <option key={n} value={n}>
              {format(n)}
            </option>
          ))}
        </select>
      </div>
      <p className="hint" id={`${id}-help`}>
        {help}
      </p>
      {dialog}
    </div>
  )
}

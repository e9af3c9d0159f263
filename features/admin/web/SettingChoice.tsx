import { type ReactNode, useId } from 'react'
import { useSetting } from './useSetting.ts'

interface SettingChoiceProps<Name extends string, Value extends string> {
  name: Name
  /** The stored value. */
  saved: Value
  label: string
  /** The choices in their order, each with its name and an explanation. */
  choices: readonly { value: Value; label: string; help: string }[]
  /** Shown below the choices. */
  children?: ReactNode
}

/** A setting with several values. A change is saved at once, and taken back if that fails. */
export function SettingChoice<Name extends string, Value extends string>({
  name,
  saved,
  label,
  choices,
  children,
}: SettingChoiceProps<Name, Value>) {
  const id = useId()
  const [chosen, choose, dialog] = useSetting(name, saved)
  return (
    <fieldset className="card setting setting-choice">
      <legend>{label}</legend>
      {choices.map((choice) => (
        <div key={choice.value}>
          <label className="check">
            <input
              type="radio"
              name={id}
              checked={chosen === choice.value}
              aria-describedby={`${id}-${choice.value}`}
              onChange={() => choose(choice.value)}
            />
            {choice.label}
          </label>
          <p className="hint" id={`${id}-${choice.value}`}>
            {choice.help}
          </p>
        </div>
      ))}
      {children}
      {dialog}
    </fieldset>
  )
}

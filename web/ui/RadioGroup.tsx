import '#web/ui/choices.css'
import { type ComponentProps, type ReactNode, useId } from 'react'

interface ChoicesProps<Value extends string> {
  /** The name of the radio buttons' field in the form. Without it, the radio buttons get a generated name. */
  name?: string
  label: string
  /** The choices in their order, each with its label and perhaps an explanation (`help`). */
  choices: readonly { value: Value; label: string; help?: string }[]
  /** Returns the attributes of a radio button that say whether it is chosen, and what happens on a change. */
  inputProps: (
    value: Value,
  ) => Pick<ComponentProps<'input'>, 'checked' | 'defaultChecked' | 'onChange' | 'required'>
  className?: string
  /** Content that is shown below the choices, inside the group. */
  children?: ReactNode
}

/** Renders a group of radio buttons. Each radio button may have an explanation. */
export function RadioGroup<Value extends string>(props: ChoicesProps<Value>) {
  const { label, choices, inputProps, className = '', children } = props
  const id = useId()
  return (
    <fieldset className={`choices ${className}`}>
      <legend>{label}</legend>
      {choices.map(({ value, label: choice, help }) => (
        <div key={value}>
          <label className="check">
            <input
              type="radio"
              name={props.name ?? id}
              value={value}
              aria-describedby={help && `${id}-${value}`}
              {...inputProps(value)}
            />
            {choice}
          </label>
          {help && (
            <p className="hint" id={`${id}-${value}`}>
              {help}
            </p>
          )}
        </div>
      ))}
      {children}
    </fieldset>
  )
}

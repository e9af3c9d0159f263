import { type ReactNode, useId } from 'react'
import { useSetting } from './useSetting.ts'

interface SelectProps {
  label: string
  help: string
  value: string | number
  onChange: (value: string) => void
  dialog: ReactNode
  /** The options. */
  children: ReactNode
}

function Select({ label, help, value, onChange, dialog, children }: SelectProps) {
  const id = useId()
  return (
    <div className="card setting">
      <div className="field">
        <label htmlFor={id}>{label}</label>
        <select
          className="input"
          id={id}
          value={value}
          aria-describedby={`${id}-help`}
          onChange={(event) => onChange(event.target.value)}
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

// A change is saved at once, and taken back if saving fails.

interface SettingSelectProps {
  name: string
  saved: string | null
  label: string
  help: string
  /** An `<option>` with an empty value saves null. */
  children: ReactNode
}

export function SettingSelect({ name, saved, ...shown }: SettingSelectProps) {
  const [chosen, choose, dialog] = useSetting(name, saved)
  return (
    <Select {...shown} value={chosen ?? ''} onChange={(value) => choose(value || null)} dialog={dialog} />
  )
}

interface NumberSelectProps<Value extends number> {
  name: string
  saved: Value
  label: string
  help: string
  choices: readonly Value[]
  format: (value: Value) => string
}

export function NumberSelect<Value extends number>(props: NumberSelectProps<Value>) {
  const { name, saved, choices, format, ...shown } = props
  const [value, change, dialog] = useSetting(name, saved)
  return (
    <Select {...shown} value={value} onChange={(chosen) => change(Number(chosen) as Value)} dialog={dialog}>
      {choices.map((n) => (
        <option key={n} value={n}>
          {format(n)}
        </option>
      ))}
    </Select>
  )
}

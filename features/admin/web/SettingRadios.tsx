import type { ComponentProps } from 'react'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { useSetting } from './useSetting.ts'

interface Props<Name extends string, Value extends string>
  extends Pick<ComponentProps<typeof RadioGroup<Value>>, 'label' | 'choices' | 'children'> {
  name: Name
  saved: Value
}

/** A change is saved at once, and taken back if saving fails. */
export function SettingRadios<Name extends string, Value extends string>({
  name,
  saved,
  children,
  ...texts
}: Props<Name, Value>) {
  const [chosen, choose, dialog] = useSetting(name, saved)
  return (
    <RadioGroup
      {...texts}
      className="card setting"
      inputProps={(value) => ({ checked: chosen === value, onChange: () => choose(value) })}
    >
      {children}
      {dialog}
    </RadioGroup>
  )
}

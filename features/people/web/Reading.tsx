import type { ComponentProps } from 'react'
import { foldReading } from '#core/text/fold-names.ts'
import { useText } from '#web/i18n.ts'
import { Field } from '#web/ui/Field.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import type { Profile } from '../contract.ts'
import { readingText } from './reading-text.ts'

type Named = Pick<Profile, 'name' | 'reading'>

/** Undefined also if the name itself says how it is read. */
const shownReading = ({ name, reading }: Named) =>
  reading && foldReading(reading) !== foldReading(name) ? reading : undefined

interface ReadingProps extends Omit<ComponentProps<'span'>, 'children'> {
  person: Named
}

/** For lists, `aria-hidden`: screen readers would read each name twice. */
export function Reading({ person, ...rest }: ReadingProps) {
  const reading = shownReading(person)
  return reading ? (
    <UserText className="text-meta reading" {...rest}>
      {reading}
    </UserText>
  ) : null
}

export function ReadingField(props: Omit<ComponentProps<typeof Field>, 'label'>) {
  const t = useText(readingText)
  return (
    <Field
      label={t.label}
      hint={t.hint}
      name="reading"
      dir="auto"
      autoComplete="off"
      spellCheck={false}
      {...props}
    />
  )
}

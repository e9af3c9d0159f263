import type { ComponentProps } from 'react'
import { langOf } from '#web/i18n.ts'

/** A name or another short text that a person wrote. Its letters decide its direction and language. */
export const Name = ({
  children,
  ...rest
}: { children: string } & Omit<ComponentProps<'span'>, 'children'>) => (
  <span dir="auto" lang={langOf(children)} {...rest}>
    {children}
  </span>
)

/** A sentence around the name of a person or a group. The name is marked with its own language. */
export const NameInSentence = ({
  words: [before, after],
  name,
}: {
  words: readonly [string, string]
  name: string
}) => (
  <>
    {before}
    <Name>{name}</Name>
    {after}
  </>
)

import type { ComponentProps } from 'react'
import { detectLanguageOfUserText } from '#web/i18n.ts'

/** A name or another short text that a person wrote. Its letters decide its direction and language. */
export const UserText = ({
  children,
  ...rest
}: { children: string } & Omit<ComponentProps<'span'>, 'children'>) => (
  <span dir="auto" lang={detectLanguageOfUserText(children)} {...rest}>
    {children}
  </span>
)

/** A sentence that contains a name. The name gets its own language and direction. */
export const SentenceWithName = ({
  words: [before, after],
  name,
}: {
  words: readonly [string, string]
  name: string
}) => (
  <>
    {before}
    <UserText>{name}</UserText>
    {after}
  </>
)

import type { ComponentProps } from 'react'
import { detectLanguageOfUserText } from '#web/i18n.ts'

/**
 * Renders a name or another short text that a person wrote. Its letters decide the direction and the
 * language of the element.
 */
export const UserText = ({
  children,
  ...rest
}: { children: string } & Omit<ComponentProps<'span'>, 'children'>) => (
  <span dir="auto" lang={detectLanguageOfUserText(children)} {...rest}>
    {children}
  </span>
)

/**
 * Renders a sentence that contains the name of a person. The element of the name has its own language and
 * direction.
 */
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

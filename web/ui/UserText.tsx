import type { ComponentProps } from 'react'
import { honorific } from '#core/text/honorific.ts'
import { detectLanguage, useLang } from '#web/i18n.ts'

/** Its letters decide the direction and the language of the element. */
export const UserText = ({
  children,
  ...rest
}: { children: string } & Omit<ComponentProps<'span'>, 'children'>) => (
  <span dir="auto" lang={detectLanguage(children)} {...rest}>
    {children}
  </span>
)

/** With さん in Japanese. */
export const PersonName = ({ children }: { children: string }) => (
  <>
    <UserText>{children}</UserText>
    {useLang() === 'ja' && honorific(children)}
  </>
)

type Around = readonly [before: string, after: string]
interface SentenceProps {
  /** In Japanese, what comes after the name can depend on it. */
  words: Around | ((name: string) => Around)
  name: string
}

/** The name has its own language and direction. */
export const SentenceWithName = ({ words, name }: SentenceProps) => {
  const [before, after] = typeof words === 'function' ? words(name) : words
  return (
    <>
      {before}
      <UserText>{name}</UserText>
      {after}
    </>
  )
}

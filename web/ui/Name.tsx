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

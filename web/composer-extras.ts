import { type ComponentType, useEffect, useState } from 'react'
import type { Sentence } from '#core/contract.ts'
import { onDelivery, readLocal, writeLocal } from '#web/local-storage.ts'
import { pageData } from '#web/page-data.ts'
import type { LucideIcon } from '#web/ui/Icon.tsx'

// Features add what members can add to a post, such as a poll (core/feature/extras.ts). Posts may not import
// these later features, so this file finds the extras by their file names.

export interface EditorProps<T> {
  value: T
  onChange: (value: T) => void
  disabled: boolean
}

/** A button of the form. It begins with `initial`, and is on while `isOn` says so of the value. */
interface Way<T> {
  label: Sentence
  icon: LucideIcon
  initial: T
  isOn: (value: T) => boolean
}

/** The default export of a file `…ComposerExtra.tsx`. A button of the form adds and removes it. */
export interface ComposerExtra<T = never> {
  /** On the wire. */
  name: string
  label: Sentence
  icon: LucideIcon
  /** The value after the button was pressed. */
  initial: NoInfer<T>
  /** Buttons of its own for posts, where one word is not enough for what it is. */
  ways?: readonly NoInfer<Way<T>>[]
  /** The text of a post in which nothing is written. */
  textOf?: (value: NoInfer<T>) => string
  /** Also for messages. */
  isForMessages?: true
  /** For posts. `group` is that of the chosen audience. Default: always. */
  useIsOffered?: (group: number | null) => boolean
  Editor: ComponentType<EditorProps<T>>
}

const found = import.meta.glob<ComposerExtra>('../features/*/web/*ComposerExtra.tsx', {
  eager: true,
  import: 'default',
})

/** In the server's order. Never changes while the app is open. */
export const composerExtras = pageData.app.features.flatMap((feature) =>
  Object.entries(found).flatMap(([path, extra]) =>
    path.startsWith(`../features/${feature}/`) ? [extra] : [],
  ),
)

export type ExtraValues = Readonly<Record<string, unknown>>

/** What these extras say in place of a text that nobody has written; empty if they say nothing. */
export const textOf = (values: ExtraValues) =>
  composerExtras
    .map(({ name, textOf: read }) => (name in values && read?.(values[name] as never)?.trim()) || '')
    .find((text) => text) ?? ''

/** Without those of features that are gone. */
function readExtras(key: string): ExtraValues {
  try {
    const stored: object = JSON.parse(readLocal(key) ?? '{}')
    return Object.fromEntries(
      Object.entries(stored).filter(([name]) => composerExtras.some((extra) => extra.name === name)),
    )
  } catch {
    return {}
  }
}

/** The chosen extras of a draft, which local storage keeps under `key`. */
export function useExtraDraft(key: string) {
  const [extras, setExtras] = useState(() => readExtras(key))
  useEffect(() => onDelivery(key, () => setExtras(readExtras(key))), [key])
  const saveExtras = (next: ExtraValues) => {
    setExtras(next)
    writeLocal(key, Object.keys(next).length ? JSON.stringify(next) : '')
  }
  return { extras, saveExtras }
}

import { useEffect, useState } from 'react'
import { findUnfinishedMention, type UnfinishedMention } from './unfinished-mention.ts'

/**
 * Returns the mention that is being typed in a field, or null. Follows each letter, also those that an
 * input method is composing, and each movement of the cursor. `dismiss` hides the mention until the cursor
 * has left it.
 */
export function useUnfinishedMention(field: HTMLTextAreaElement) {
  const [mention, setMention] = useState<UnfinishedMention | null>(null)
  const [dismissed, setDismissed] = useState<number>()
  useEffect(() => {
    const update = () => {
      const isWriting = document.activeElement === field && !field.readOnly
      const next = isWriting ? findUnfinishedMention(field) : null
      setMention((last) => (JSON.stringify(last) === JSON.stringify(next) ? last : next))
      if (!next) setDismissed(undefined)
    }
    const controller = new AbortController()
    const { signal } = controller
    update()
    field.addEventListener('input', update, { signal })
    field.addEventListener('blur', update, { signal })
    document.addEventListener('selectionchange', update, { signal })
    return () => controller.abort()
  }, [field])
  return {
    mention: mention && mention.start !== dismissed ? mention : null,
    dismiss: () => setDismissed(mention?.start),
  }
}

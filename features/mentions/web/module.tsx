import { type ComponentType, useEffect, useState } from 'react'
import type { WebModule } from '#web/web-modules.ts'

type Completion = ComponentType<{ field: HTMLTextAreaElement }>

/**
 * Loads the list of people when the member first types `@` into a text area with `data-mentions`. The
 * attribute is empty, or has parameters of `GET /api/mention-candidates`, such as `group=5`.
 */
function MentionTrigger() {
  const [field, setField] = useState<HTMLTextAreaElement>()
  const [loaded, setLoaded] = useState<{ Completion: Completion }>()
  useEffect(() => {
    const onInput = ({ target }: Event) => {
      if (!(target instanceof HTMLTextAreaElement && 'mentions' in target.dataset)) return
      if (!/[@＠]/.test(target.value)) return
      setField(target)
      // The next typed letter starts a failed download again.
      import('./MentionCompletion.tsx').then(
        ({ MentionCompletion }) => setLoaded({ Completion: MentionCompletion }),
        () => {},
      )
    }
    document.addEventListener('input', onInput)
    return () => document.removeEventListener('input', onInput)
  }, [])
  return field && loaded ? <loaded.Completion field={field} /> : null
}

export default { name: 'mentions', Overlay: MentionTrigger } satisfies WebModule

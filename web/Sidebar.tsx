import { Suspense } from 'react'
import { useLang } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { useMedia } from '#web/media.ts'
import { modules } from '#web/modules.ts'
import { SafePage } from '#web/SafePage.tsx'
import { VisitorWelcome } from '#web/VisitorWelcome.tsx'

/** As in layout.css. Narrower windows have no sidebar, and do not fetch its parts. */
const WIDE = '(width >= 67.5em)'

const parts = modules.flatMap(({ sidebar }) => sidebar ?? [])

/** The column beside the page. Members see the parts that features registered, visitors a welcome. */
export function Sidebar() {
  const lang = useLang()
  const me = useMe()
  const isWide = useMedia(WIDE)
  if (!me) return <VisitorWelcome />
  if (!parts.length) return null
  return (
    <aside className="veranda" aria-label={parts.map(({ label }) => label[lang]).join(', ')}>
      {isWide &&
        parts.map(({ label, Component }) => (
          <SafePage key={label.en} instead={null}>
            <Suspense>
              <Component me={me} />
            </Suspense>
          </SafePage>
        ))}
    </aside>
  )
}

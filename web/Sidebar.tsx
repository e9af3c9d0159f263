import { lazy, Suspense } from 'react'
import { useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { useMedia } from '#web/media.ts'
import { SafePage } from '#web/SafePage.tsx'
import { shellText } from '#web/shell-text.ts'
import { VisitorWelcome } from '#web/VisitorWelcome.tsx'

const Beside = lazy(() => import('#features/chat/web/ChatSidebar.tsx'))
/** As in layout.css: narrower windows have no veranda, and do not fetch what stands on it. */
const WIDE = '(width >= 67.5em)'

/** What is beside the room: for members their chats, for visitors what this place is. */
export function Sidebar() {
  const say = useText(shellText)
  const me = useMe()
  const isWide = useMedia(WIDE)
  if (!me) return <VisitorWelcome />
  return (
    <aside className="veranda" aria-label={say.beside}>
      {isWide && (
        <SafePage instead={null}>
          <Suspense>
            <Beside me={me} />
          </Suspense>
        </SafePage>
      )}
    </aside>
  )
}

import { Plus } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { Me } from '#features/people/contract.ts'
import { useText } from '#web/i18n.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { Button } from '#web/ui/Button.tsx'
import { chatText } from './text.ts'

const NewChatDialog = lazyWithRetry(() => import('./NewChatDialog.tsx'))

export function NewChat({ me }: { me: Me }) {
  const t = useText(chatText)
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button className="new-chat" icon={Plus} label={t.newChat} onClick={() => setIsOpen(true)}>
        <span>{t.newChat}</span>
      </Button>
      {isOpen && (
        <Suspense>
          <NewChatDialog me={me} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

import { BarChart3, Image, Link2, Mic, Paperclip } from 'lucide-react'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import type { AttachmentKind } from '../operators-contract.ts'
import { filter } from './filters.ts'
import { filterText } from './text.ts'

const icons = {
  picture: Image,
  file: Paperclip,
  link: Link2,
  poll: BarChart3,
  voice: Mic,
}
const kinds = Object.keys(icons) as AttachmentKind[]

export default function HasPanel({ onChoose }: { onChoose: (filter: string) => void }) {
  const t = useText(filterText)
  return (
    <div className="filter-choices">
      {kinds.map((kind) => (
        <Button key={kind} icon={icons[kind]} onClick={() => onChoose(filter('has', kind))}>
          {t.kinds[kind]}
        </Button>
      ))}
    </div>
  )
}

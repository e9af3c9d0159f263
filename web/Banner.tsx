import { RotateCw, Wifi, WifiOff } from 'lucide-react'
import { retryLine, useLine } from '#web/line.ts'
import { useText } from '#web/text.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { words } from '#web/words.ts'

const icons = { reconnecting: RotateCw, offline: WifiOff, back: Wifi }

/** The line to the server, when it is worth a word. */
export function Banner() {
  const say = useText(words)
  const line = useLine()
  return (
    <div className="line" role="status">
      {line !== 'fine' && (
        <div className="banner" data-kind={line}>
          <Icon of={icons[line]} size="s" />
          {say[line]}
          {line === 'offline' && (
            <button type="button" onClick={retryLine}>
              {say.retry}
            </button>
          )}
        </div>
      )}
    </div>
  )
}

import '#web/print.ts'
import '#web/toast-edge.ts'
import { pageData } from '#web/page-data.ts'

// What a page needs some time after it was drawn.
if (pageData.lang === 'ja' && !CSS.supports('word-break: auto-phrase')) void import('#web/phrases.ts')

import { markPhrases, PHRASE_END } from './phrase-ends.ts'

// Only `web/late.ts` imports this: for Japanese pages in browsers without `word-break: auto-phrase`, which would break lines between any two
// letters. Texts of members stay as they are.

const THEIRS = '[dir=auto], [translate=no], [contenteditable], textarea, input, select, code, script, style'

function mark(node: Text) {
  if (node.parentElement?.closest(THEIRS)) return
  const marked = markPhrases(node.data)
  if (marked !== node.data) node.data = marked
}

function markAll(root: Node) {
  if (root instanceof Text) return mark(root)
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) mark(walker.currentNode as Text)
}

/** What is copied has no marks. */
function copyWithout(event: ClipboardEvent) {
  const text = getSelection()?.toString() ?? ''
  if (!text.includes(PHRASE_END) || (event.target as Element).closest('input, textarea')) return
  event.clipboardData?.setData('text/plain', text.replaceAll(PHRASE_END, ''))
  event.preventDefault()
}

// Lines break only at the marks, and where a word is longer than a line.
const style = new CSSStyleSheet()
style.replaceSync(`
  [data-phrases]:lang(ja) body { word-break: keep-all; overflow-wrap: anywhere }
  [data-phrases] [dir=auto] { word-break: normal }`)
document.adoptedStyleSheets.push(style)
document.documentElement.dataset.phrases = ''
markAll(document.body)
// Marking a marked text changes nothing, so the observer does not run for ever.
new MutationObserver((changes) => {
  for (const { type, target, addedNodes } of changes)
    if (type === 'characterData') markAll(target)
    else for (const node of addedNodes) markAll(node)
}).observe(document.body, { subtree: true, childList: true, characterData: true })
document.addEventListener('copy', copyWithout)

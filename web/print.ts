import './print.css'

/** The browser prints what it has: pictures below the window come only when somebody scrolls to them. */
const loadPictures = () => {
  for (const image of document.querySelectorAll<HTMLImageElement>('img[loading="lazy"]'))
    image.loading = 'eager'
}
addEventListener('beforeprint', loadPictures)

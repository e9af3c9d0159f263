/** Large letters and buttons; the policy of the page has its hash. */
export const sharedStyle = `:root{color-scheme:light dark}
*{box-sizing:border-box}
body{font:1.25rem/1.6 system-ui,sans-serif;margin:0 auto;max-width:70rem;padding:1rem;overflow-wrap:anywhere}
h1{font-size:1.75rem;line-height:1.3;margin:.5rem 0}
p{margin:.5rem 0}
.grid{display:grid;gap:.5rem;grid-template-columns:repeat(auto-fill,minmax(min(9rem,45%),1fr));list-style:none;margin:1rem 0;padding:0}
.grid a{display:block}
.grid img{aspect-ratio:1;background:#8883;border-radius:.5rem;display:block;object-fit:cover;width:100%}
nav{display:flex;flex-wrap:wrap;gap:.75rem;margin:1rem 0}
.button{align-items:center;background:#17663a;border:2px solid #17663a;border-radius:.75rem;color:#fff;display:inline-flex;flex:1 1 auto;font-size:1.25rem;font-weight:700;justify-content:center;min-height:3.5rem;padding:.5rem 1rem;text-decoration:none}
.quiet{background:none;border-color:currentColor;color:inherit}
.off{opacity:.35}
.large{margin:0;text-align:center}
.large img{border-radius:.5rem;height:auto;max-height:80vh;max-width:100%;object-fit:contain}
:focus-visible{outline:3px solid Highlight;outline-offset:2px}`

// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

/// The page's style: light and dark, narrow and wide, and on paper.
///
/// Every pair of a colour and its ground has a contrast of at least 4.5 to 1, drawings included.
enum ReportStyle {
  static let sheet = """
    :root{color-scheme:light dark;--ground:#fff;--ink:#1b1b1f;--soft:#4a4a55;--line:#74747e;
    --band:#e8e8ef;--heard:#00684a;--cut:#9a4b00;--merged:#4b46b8;--kept:#5b5b66;--lost:#b00020;
    --waiting:#005ea8}
    @media (prefers-color-scheme:dark){:root{--ground:#15161a;--ink:#ececf1;--soft:#b9b9c6;
    --line:#8d8d99;--band:#2a2b33;--heard:#4fd1a5;--cut:#ffb066;--merged:#b3b0ff;--kept:#b5b5c0;
    --lost:#ff8a95;--waiting:#7cc4ff}}
    *{box-sizing:border-box}
    body{margin:0 auto;padding:1rem;max-width:70rem;background:var(--ground);color:var(--ink);
    font:1rem/1.5 system-ui,sans-serif}
    a{color:inherit}a:focus-visible,summary:focus-visible,figure
    svg:focus-visible,.scroll:focus-visible{outline:3px solid
    var(--waiting);outline-offset:2px}
    .skip{position:absolute;left:-100rem}.skip:focus{position:static}
    h1{font-size:1.7rem;line-height:1.2}h2{font-size:1.3rem;margin-top:2.5rem}
    nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1rem;padding:0;list-style:none}
    nav a{display:inline-block;padding:.25rem 0}summary{padding:.25rem 0;cursor:pointer}
    figure{margin:1rem 0;overflow-x:auto}figure svg{display:block;width:100%;min-width:40rem;
    height:auto}
    svg text{fill:currentColor;font:13px system-ui,sans-serif}svg .soft{fill:var(--soft)}
    svg .axis{stroke:var(--line);fill:none}svg .band{fill:var(--band)}
    svg .bar{fill:var(--waiting)}svg .frame{fill:none;stroke:var(--line)}
    svg .path{fill:none;stroke:var(--waiting);stroke-width:2}
    svg .dot{fill:var(--waiting)}svg .way{stroke:var(--line)}
    .heard{fill:var(--heard)}.cut{fill:var(--cut)}.merged{fill:var(--merged)}.kept{fill:var(--kept)}
    .lost{fill:var(--lost)}.waiting{fill:var(--waiting)}
    .legend{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;padding:0;list-style:none}
    .legend svg{width:1rem;height:1rem;vertical-align:-.15rem}
    .scroll{overflow-x:auto}
    table{border-collapse:collapse;min-width:36rem;margin:.5rem 0}
    caption{text-align:left;color:var(--soft)}
    th,td{border-bottom:1px solid var(--line);padding:.25rem .75rem .25rem 0;text-align:left;
    vertical-align:top}
    td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
    @media print{:root{--ground:#fff;--ink:#000}nav,.skip{display:none}body{max-width:none}
    section{break-inside:avoid}figure svg{min-width:0}
    details::details-content{content-visibility:visible;block-size:auto}}
    """
}
